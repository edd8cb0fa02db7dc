declare module 'dynalite' {
  import type { Server } from 'node:http'

  interface Options {
    /** A directory for LevelDB; in memory without it. */
    path?: string
    createTableMs?: number
    deleteTableMs?: number
  }

  export default function dynalite(options?: Options): Server
}
