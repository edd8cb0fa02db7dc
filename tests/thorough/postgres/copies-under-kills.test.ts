import { describeLives } from '../../support/copies/copy-lives.ts'
import { usePostgres } from '../../support/copies/use-postgres.ts'

describe('in PostgreSQL', () => describeLives(usePostgres()))
