const REASONS: Record<string, string> = {
  EACCES: 'access is denied',
  EEXIST: 'there is a file where a folder must be',
  EISDIR: 'it is a folder, not a file',
  ENOENT: 'the file does not exist',
  ENOTDIR: 'there is a file where a folder must be',
  EROFS: 'the file system is read-only',
}

/** Explains in words why a file or a folder cannot be used. Returns the message of any other error. */
export const fileProblem = ({ code = '', message }: NodeJS.ErrnoException): string => REASONS[code] ?? message
