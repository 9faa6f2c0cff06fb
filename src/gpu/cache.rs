//! Compiled pipelines, kept between runs where the driver lets them be kept: on Vulkan.
//!
//! A cache that cannot be read or written costs a compilation and never a count. Its file is the SHA-256 of the device's
//! name, its driver and the data, and then the data: what is damaged or of another driver is not used.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::info::DeviceInfo;
use crate::files::{folder_of, replace};

/// The largest file that is read or written: some hundred times what the pipelines of one n take.
const MAX_BYTES: u64 = 32 << 20;
const DIGEST_BYTES: usize = 32;

/// The cache of an opened device, and the file it is kept in.
pub(super) struct PipelineCache {
    pub cache: wgpu::PipelineCache,
    file: PathBuf,
    /// What the digest vouches for beside the data.
    owner: String,
    /// The digest of what the file holds.
    saved: Option<[u8; DIGEST_BYTES]>,
}

impl PipelineCache {
    /// The cache of a device, with what was kept of it; `None` where the device has none or there is no place for it.
    pub fn open(device: &wgpu::Device, adapter: &wgpu::AdapterInfo, info: &DeviceInfo) -> Option<Self> {
        if !device.features().contains(wgpu::Features::PIPELINE_CACHE) {
            return None;
        }
        let file = folder()?.join(wgpu::util::pipeline_cache_key(adapter)?);
        let owner = format!("{}\n{}\n", info.name, info.driver);
        let data = read(&file, &owner);
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let descriptor =
            wgpu::PipelineCacheDescriptor { label: Some("nqueens"), data: data.as_deref(), fallback: true };
        // SAFETY: the data must come from `PipelineCache::get_data` for such a device. Only `save` writes the file, into a
        // folder that is the user's own; the digest fits only what was written whole, for this device and this driver. wgpu
        // and the driver check their headers too, and with `fallback` begin anew with an empty cache.
        let cache = unsafe { device.create_pipeline_cache(&descriptor) };
        match pollster::block_on(scope.pop()) {
            None => {
                let saved = data.map(|data| digest(&owner, &data));
                Some(Self { cache, file, owner, saved })
            }
            Some(_) => None,
        }
    }

    /// Keeps what the driver has compiled, if that is new.
    pub fn save(&mut self) {
        let Some(data) = self.cache.get_data().filter(|data| data.len() as u64 <= MAX_BYTES) else { return };
        let digest = digest(&self.owner, &data);
        if self.saved != Some(digest) && write(&self.file, &[&digest[..], &data].concat()).is_some() {
            self.saved = Some(digest);
        }
    }
}

/// Where programs keep what they can do without.
fn folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let user = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else {
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))
    };
    user.map(|folder| folder.join("nqueens"))
}

fn digest(owner: &str, data: &[u8]) -> [u8; DIGEST_BYTES] {
    Sha256::new().chain_update(owner).chain_update(data).finalize().into()
}

/// The data in a file that `write` has written for this owner.
fn read(file: &Path, owner: &str) -> Option<Vec<u8>> {
    // Before it is opened: that would wait for the other end of a pipe.
    if !fs::metadata(file).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(file).ok()?.take(MAX_BYTES + DIGEST_BYTES as u64 + 1).read_to_end(&mut bytes).ok()?;
    let (found, data) = bytes.split_at_checked(DIGEST_BYTES)?;
    let sound = data.len() as u64 <= MAX_BYTES && found == digest(owner, data);
    sound.then(|| data.to_vec())
}

/// Writes a file as a whole: others that start at the same time see the old one or the new one.
fn write(file: &Path, bytes: &[u8]) -> Option<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder_of(file)).ok()?;
    replace(file, bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_whole_for_this_driver_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new").join("cache");
        assert_eq!(read(&file, "driver 1"), None);
        let sound = [&digest("driver 1", b"data")[..], b"data"].concat();
        write(&file, &sound).unwrap();
        assert_eq!(read(&file, "driver 1").as_deref(), Some(&b"data"[..]));
        assert_eq!(read(&file, "driver 2"), None);
        for at in 0..sound.len() {
            let mut flipped = sound.clone();
            flipped[at] ^= 1;
            write(&file, &flipped).unwrap();
            assert_eq!(read(&file, "driver 1"), None, "byte {at}");
            write(&file, &sound[..at]).unwrap();
            assert_eq!(read(&file, "driver 1"), None, "cut to {at}");
        }
        // No temporary file is left.
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_is_too_large_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cache");
        let data = vec![0; MAX_BYTES as usize + 1];
        write(&file, &[&digest("d", &data)[..], &data].concat()).unwrap();
        assert_eq!(read(&file, "d"), None);
        assert_eq!(read(folder.path(), "d"), None, "a folder is no file");
    }
}
