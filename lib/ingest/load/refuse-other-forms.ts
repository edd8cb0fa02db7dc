import { UnreadableFileError } from './check-file.ts'

const UNPACK = 'unpack it first, or pack its files by gzip'
const SAVE_AS_UTF8 = 'it is encoded in UTF-16: save it in UTF-8'

/** The first bytes of file formats that users may confuse with files of logs. */
const OTHER_FORMS: readonly { at?: number; bytes: Buffer; reason: string }[] = [
  { bytes: Buffer.from('PK\x03\x04'), reason: `it is packed by zip: ${UNPACK}` },
  { bytes: Buffer.from('fd377a585a00', 'hex'), reason: `it is packed by xz: ${UNPACK}` },
  { bytes: Buffer.from('28b52ffd', 'hex'), reason: `it is packed by zstd: ${UNPACK}` },
  { bytes: Buffer.from('BZh'), reason: `it is packed by bzip2: ${UNPACK}` },
  { bytes: Buffer.from('377abcaf271c', 'hex'), reason: `it is packed by 7-Zip: ${UNPACK}` },
  { at: 257, bytes: Buffer.from('ustar'), reason: `it is a tar archive: ${UNPACK}` },
  { bytes: Buffer.from('PAR1'), reason: 'it is a Parquet file: write its rows as JSON, one a line' },
  { bytes: Buffer.from('fffe', 'hex'), reason: SAVE_AS_UTF8 },
  { bytes: Buffer.from('feff', 'hex'), reason: SAVE_AS_UTF8 },
]

/** Throws `UnreadableFileError` if the beginning of a file shows one of these other formats. */
export function refuseOtherForms(file: string, beginning: Buffer): void {
  const found = OTHER_FORMS.find(({ at = 0, bytes }) =>
    beginning.subarray(at, at + bytes.length).equals(bytes),
  )
  if (found) throw new UnreadableFileError({ file, reason: found.reason })
}
