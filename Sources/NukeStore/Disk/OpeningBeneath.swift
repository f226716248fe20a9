import CNukeDisk

/// The kernel's resolution of paths that must stay below a folder (`openat2`, since Linux 5.6).
package enum OpeningBeneath {
  /// Opens a file or folder by its path below a folder. Symbolic links are followed if they stay below it.
  ///
  /// - Returns: a descriptor, or a negative error number. It is `-EXDEV` if the path leads out of the folder or through a
  ///   link to an absolute path, `-ENOSYS` if the kernel cannot check this, and `-EAGAIN` if names changed meanwhile.
  package static func open(_ path: UnsafePointer<CChar>, in folder: CInt, flags: CInt) -> CInt {
    nuke_open_beneath(folder, path, flags)
  }
}
