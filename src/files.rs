//! Writing files so that a crash at any moment leaves a sound one, and locking them.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::JobError;
use crate::fault;
use crate::report::shown;

type Result<T> = std::result::Result<T, JobError>;

/// A path with something added to its last part.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

fn failed<'a>(path: &'a Path, doing: &'static str) -> impl FnOnce(io::Error) -> JobError + 'a {
    move |source| {
        let folder = folder_of(path);
        // What the operating system says then sounds as if the file itself were missing.
        let lost = source.kind() == io::ErrorKind::NotFound && !matches!(doing, "read" | "found") && !folder.exists();
        let source = match lost {
            true => io::Error::new(io::ErrorKind::NotFound, format!("there is no folder '{}'", folder.display())),
            false => source,
        };
        JobError::File { path: path.into(), doing, source }
    }
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

/// How every file of a job begins. Whatever begins otherwise is somebody else's, and left alone.
pub const START: &str = "{\"sha256\":\"";

/// The most bytes that a file of ours has.
const MAX_OWN_BYTES: u64 = 1 << 26;

/// The most links that are followed from a name to its file, as on Linux.
const MAX_LINKS: u32 = 40;

/// Whether there is nothing in it: `mktemp` makes such files, and a power failure leaves them.
fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

/// The file that a name stands for, links followed: it may be new, and its folder missing.
///
/// # Errors
/// If it is no regular file, or the links lead nowhere.
pub fn resolve(path: &Path) -> Result<PathBuf> {
    // First, because what is behind a link in /proc has no name of its own.
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Err(JobError::NotAFile(path.into()));
    }
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(failed(&path, "found")(io::Error::other("too many links")))
}

/// Whether there is something under a name; if so, that it is a regular file and no link.
fn is_there(path: &Path) -> Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_file() => Ok(true),
        Ok(_) => Err(JobError::NotAFile(path.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed(path, "read")(error)),
    }
}

/// The content of a file under a name where only this program writes, or `None` if there is none or it is empty. Links are
/// not followed.
///
/// # Errors
/// If it is no regular file, does not begin as a file of ours, has more than `most` bytes, or cannot be read.
pub fn read_own(path: &Path, most: u64) -> Result<Option<Vec<u8>>> {
    if !is_there(path)? {
        return Ok(None);
    }
    match read(path, most)? {
        Some(bytes) if is_blank(&bytes) => Ok(None),
        Some(bytes) if !bytes.starts_with(START.as_bytes()) => Err(JobError::NotOurs(path.into())),
        bytes => Ok(bytes),
    }
}

/// Whether a regular file begins as ours do. Not if it cannot be read.
pub fn begins_as_ours(path: &Path) -> bool {
    let mut start = Vec::new();
    let file = File::open(path).map(|file| file.take(START.len() as u64));
    file.is_ok_and(|mut file| file.read_to_end(&mut start).is_ok()) && start == START.as_bytes()
}

/// Writes a file as a whole: at no moment is there a half one under its name.
///
/// # Errors
/// If anything is refused; then what was there before is still there.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = write_beside(path, bytes)?;
    finish(path, &temporary)
}

/// The same of a file that has one name for its next generation and one for its previous one, which is kept. Whoever writes
/// it has its lock.
///
/// # Errors
/// If anything is refused; then what was there before is still there, under its name or the name of the previous one.
pub fn replace_generation(path: &Path, bytes: &[u8], temporary: &Path, previous: &Path) -> Result<()> {
    // Left by a process that was killed: removed and made anew, so that nothing is written through a link.
    let left = is_there(temporary)?;
    if left {
        read_own(temporary, MAX_OWN_BYTES)?;
        fs::remove_file(temporary).map_err(failed(temporary, "removed"))?;
    }
    let file = create_new(temporary).map_err(failed(temporary, "created"))?;
    write(file, bytes, temporary)?;
    // A file without content is no generation.
    if read_own(path, MAX_OWN_BYTES)?.is_some() {
        fs::rename(path, previous).map_err(failed(path, "renamed"))?;
    }
    fault::point("previous-kept");
    finish(path, temporary)
}

/// Writes a file that is not there yet, or is empty. Gives `false` if there is one by now: of two processes one wins.
///
/// # Errors
/// If anything is refused.
pub fn create(path: &Path, bytes: &[u8]) -> Result<bool> {
    let temporary = write_beside(path, bytes)?;
    let claimed = claim(path, &temporary).map_err(failed(path, "created"));
    // Renamed already, a second name, or of no use.
    let _ = fs::remove_file(&temporary);
    if claimed? {
        sync_folder(path)?;
        return Ok(true);
    }
    Ok(false)
}

/// Gives a file its name, unless there is another one with content.
fn claim(path: &Path, temporary: &Path) -> io::Result<bool> {
    match fs::hard_link(temporary, path) {
        Ok(()) => return Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
        // A file system without hard links.
        Err(_) => match create_new(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => (),
        },
    }
    // An empty file is replaced by whoever has its lock; without locks by whoever comes.
    let empty = File::open(path)?;
    if matches!(empty.try_lock(), Err(TryLockError::WouldBlock)) || fs::metadata(path)?.len() > 0 {
        return Ok(false);
    }
    fs::rename(temporary, path)?;
    Ok(true)
}

/// Makes sure that a file can be written, without touching what may be there.
///
/// # Errors
/// If nothing can be written beside it.
pub fn check_writable(path: &Path) -> Result<()> {
    let temporary = write_beside(path, START.as_bytes())?;
    fs::remove_file(&temporary).map_err(failed(&temporary, "removed"))
}

/// Renames what was written and waits until that is on the disk.
fn finish(path: &Path, temporary: &Path) -> Result<()> {
    fs::rename(temporary, path).map_err(failed(temporary, "renamed"))?;
    fault::point("renamed");
    sync_folder(path)?;
    fault::point("folder-synced");
    Ok(())
}

/// A file that was not there, and is not behind a link either.
fn create_new(path: &Path) -> io::Result<File> {
    if let Some(full) = fault::full_disk() {
        return OpenOptions::new().write(true).open(full);
    }
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Writes a temporary file, under a name that nothing has.
fn write_beside(path: &Path, bytes: &[u8]) -> Result<PathBuf> {
    for attempt in 0u32.. {
        // Process numbers come again, and are the same on several machines.
        let temporary = beside(path, &format!(".new-{}-{attempt}", std::process::id()));
        match create_new(&temporary) {
            Ok(file) => return write(file, bytes, &temporary).map(|()| temporary),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
            Err(error) => return Err(failed(&temporary, "created")(error)),
        }
    }
    unreachable!("there are many names")
}

/// Writes the temporary file and waits until it is on the disk. If that fails nothing of it is left.
fn write(mut file: File, bytes: &[u8], temporary: &Path) -> Result<()> {
    fault::point("created");
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let mut parts = || {
        file.write_all(first).map_err(failed(temporary, "written"))?;
        fault::point("half-written");
        file.write_all(second).map_err(failed(temporary, "written"))?;
        fault::point("written");
        file.sync_all().map_err(failed(temporary, "written to the disk"))
    };
    let result = parts();
    if result.is_err() {
        // It would only take space; the error that counts is the first.
        let _ = fs::remove_file(temporary);
    }
    result?;
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

/// Renames a file.
///
/// # Errors
/// If it cannot be renamed.
pub fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(failed(from, "renamed"))
}

/// Moves a file out of the way: to `name.bad`, or `name.bad2` and so on where there is one already.
///
/// # Errors
/// If it cannot be renamed.
pub fn move_aside(path: &Path) -> Result<PathBuf> {
    let free = (1u32..).map(|i| beside(path, &if i == 1 { ".bad".into() } else { format!(".bad{i}") }));
    let is_free = |name: &PathBuf| fs::symlink_metadata(name).is_err();
    let aside = free.into_iter().find(is_free).expect("there are many names");
    fs::rename(path, &aside).map_err(failed(path, "moved aside"))?;
    Ok(aside)
}

/// Opens a lock file, or makes it.
fn open_lock(name: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    if !is_there(name)? {
        match options.clone().create_new(true).open(name) {
            Ok(file) => return Ok(file),
            // Another process has made it just now.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_there(name)? => (),
            Err(error) => return Err(failed(name, "created")(error)),
        }
    }
    let file = options.open(name).map_err(failed(name, "opened"))?;
    let mut start = Vec::new();
    (&file).take(LOCK_START.len() as u64).read_to_end(&mut start).map_err(failed(name, "read"))?;
    // Its holder may be writing it just now.
    match LOCK_START.as_bytes().starts_with(&start) || is_blank(&start) {
        true => (&file).seek(SeekFrom::Start(0)).map(|_| file).map_err(failed(name, "read")),
        false => Err(JobError::NotOurs(name.into())),
    }
}

/// What the text of a lock file begins with.
const LOCK_START: &str = "process ";

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
        let mut file = open_lock(&name)?;
        // A `status` looks for a moment whether a lock is held: that must not stop anybody.
        for attempt in 0.. {
            match fault::no_locks().map_or_else(|| file.try_lock(), |error| Err(TryLockError::Error(error))) {
                Ok(()) => break,
                Err(TryLockError::Error(source)) => return Err(JobError::NoLocks { path: name, source }),
                Err(TryLockError::WouldBlock) if attempt < 5 => std::thread::sleep(Duration::from_millis(20)),
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    // Only to say more; a holder that cannot be named is one all the same.
                    let _ = file.take(80).read_to_string(&mut holder);
                    let holder = holder.lines().next().filter(|name| !name.is_empty()).map_or("unnamed".into(), shown);
                    return Err(JobError::Locked { path: path.into(), holder });
                }
            }
        }
        // For people; the lock is what counts, so a full disk does not matter here.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{LOCK_START}{}", std::process::id()));
        Ok(Self { _file: file })
    }

    /// Whether some process holds it just now. For showing only: it may be gone the next moment.
    pub fn is_held(path: &Path) -> bool {
        let Ok(name) = resolve(path).map(|path| beside(&path, ".lock")) else { return false };
        // Opening a pipe would wait for somebody who writes to it.
        let Some(file) = is_there(&name).ok().filter(|&there| there).and_then(|_| File::open(name).ok()) else {
            return false;
        };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}
