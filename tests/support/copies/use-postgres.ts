import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { findPostgres, startPostgres } from '../../bench/peer/start-postgres.ts'
import { useStarted } from '../runner/use-started.ts'

export function usePostgres(): () => Promise<string> {
  const server = useStarted(async () => startPostgres(await findPostgres()))
  return async () => {
    const schema = `copy_${randomUUID().replaceAll('-', '')}`
    const client = new Client(server.url)
    await client.connect()
    await client.query(`CREATE SCHEMA ${schema}`)
    await client.end()
    return `${server.url}?search_path=${schema}`
  }
}
