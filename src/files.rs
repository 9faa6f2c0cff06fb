//! Writing files so that a crash at any moment leaves a sound one, and locking them.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::JobError;
use crate::fault;

type Result<T> = std::result::Result<T, JobError>;

/// A path with something added to its last part.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

fn failed<'a>(path: &'a Path, doing: &'static str) -> impl FnOnce(io::Error) -> JobError + 'a {
    move |source| JobError::File { path: path.into(), doing, source }
}

/// The content of a file, or `None` if there is no such file.
///
/// # Errors
/// If it is no regular file, has more than `most` bytes, or cannot be read.
pub fn read(path: &Path, most: u64) -> Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        Ok(about) if !about.is_file() => return Err(JobError::NotAFile(path.into())),
        Ok(_) => (),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(path, "read")(error)),
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed(path, "read"))?;
    // What it says about its size may be wrong: it can be growing, or be none that lies on a disk.
    file.take(most + 1).read_to_end(&mut bytes).map_err(failed(path, "read"))?;
    if bytes.len() as u64 > most {
        return Err(JobError::TooLarge { path: path.into(), most });
    }
    Ok(Some(bytes))
}

/// The content of a file that must be there.
///
/// # Errors
/// If there is no such file, it is no regular file, has more than `most` bytes, or cannot be read.
pub fn read_existing(path: &Path, most: u64) -> Result<Vec<u8>> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, "there is no such file");
    read(path, most)?.ok_or_else(|| failed(path, "read")(missing()))
}

/// Writes a file as a whole: at no moment is there a half one under its name. With `previous` the file that was there
/// before is kept under that name.
///
/// # Errors
/// If anything is refused; then what was there before is still there, under its name or the name of the previous one.
pub fn replace(path: &Path, bytes: &[u8], temporary: &Path, previous: Option<&Path>) -> Result<()> {
    let result = write(bytes, temporary);
    if result.is_err() {
        // Whatever is left of it would only take space; the error that counts is the first.
        let _ = fs::remove_file(temporary);
    }
    result?;
    if let Some(previous) = previous {
        match fs::rename(path, previous) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(path, "renamed")(error)),
            _ => fault::point("previous-kept"),
        }
    }
    fs::rename(temporary, path).map_err(failed(temporary, "renamed"))?;
    fault::point("renamed");
    sync_folder(path)?;
    fault::point("folder-synced");
    Ok(())
}

/// Writes the temporary file and waits until it is on the disk.
fn write(bytes: &[u8], temporary: &Path) -> Result<()> {
    let target = fault::full_disk().map_or(temporary, Path::new);
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(target)
        .map_err(failed(temporary, "created"))?;
    fault::point("created");
    let (first, second) = bytes.split_at(bytes.len() / 2);
    file.write_all(first).map_err(failed(temporary, "written"))?;
    fault::point("half-written");
    file.write_all(second).map_err(failed(temporary, "written"))?;
    fault::point("written");
    file.sync_all().map_err(failed(temporary, "written to the disk"))?;
    fault::point("synced");
    Ok(())
}

/// Makes a rename last through a power failure. Windows cannot do that to a folder, and needs it not.
fn sync_folder(path: &Path) -> Result<()> {
    if cfg!(unix) {
        let folder = folder_of(path);
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed(path, "written to the disk"))?;
    }
    Ok(())
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Moves a file out of the way: to `name.bad`, or `name.bad2` and so on where there is one already.
///
/// # Errors
/// If it cannot be renamed.
pub fn move_aside(path: &Path) -> Result<PathBuf> {
    let free = (1u32..).map(|i| beside(path, &if i == 1 { ".bad".into() } else { format!(".bad{i}") }));
    let aside = free.into_iter().find(|name| !name.exists()).expect("there are many names");
    fs::rename(path, &aside).map_err(failed(path, "moved aside"))?;
    Ok(aside)
}

/// A lock on a file's name, given up when it is dropped and by the operating system when the process dies, however it
/// dies.
///
/// The lock is on `name.lock`, which stays: if it were removed, two processes could hold locks on two files of that name.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Locks a file's name, or fails at once if another process has.
    ///
    /// # Errors
    /// If it is locked already, or the lock file cannot be written.
    pub fn take(path: &Path) -> Result<Self> {
        let name = beside(path, ".lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&name)
            .map_err(failed(&name, "created"))?;
        // A `status` looks for a moment whether a lock is held: that must not stop anybody.
        for attempt in 0.. {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(error)) => return Err(failed(&name, "locked")(error)),
                Err(TryLockError::WouldBlock) if attempt < 5 => std::thread::sleep(Duration::from_millis(20)),
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    // Only to say more; a holder that cannot be named is one all the same.
                    let _ = file.take(80).read_to_string(&mut holder);
                    let holder =
                        holder.split(char::is_control).next().filter(|name| !name.is_empty()).unwrap_or("unnamed");
                    let holder = holder.to_string();
                    return Err(JobError::Locked { path: path.into(), holder });
                }
            }
        }
        // For people; the lock is what counts, so a full disk does not matter here.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "process {}", std::process::id()));
        Ok(Self { _file: file })
    }

    /// Whether some process holds it just now. For showing only: it may be gone the next moment.
    pub fn is_held(path: &Path) -> bool {
        let Ok(file) = File::open(beside(path, ".lock")) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}
