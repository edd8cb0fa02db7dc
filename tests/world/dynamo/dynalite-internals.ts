import { createRequire } from 'node:module'
import type { Callback, Internals, Item, KeyValues, Table } from 'dynalite/db'

const require = createRequire(import.meta.url)

/** A request in DynamoDB's JSON, or an answer. */
export type Message = Record<string, unknown>

/** The types of a request's fields, and the checks that need the whole request. */
interface RequestRules {
  types: Record<string, unknown>
  custom?: (request: Message, store: object) => string | undefined
}

interface Validations {
  checkTypes(request: Message, types: RequestRules['types']): Message
  checkValidations(
    request: Message,
    types: RequestRules['types'],
    custom: RequestRules['custom'],
    store: object,
  ): void
}

/** What dynalite's actions ask of the place where tables are. */
export interface ActionStore {
  options: { maxItemSize: number }
  getTable(name: string, ...rest: [Callback<Table>] | [boolean, Callback<Table>]): void
  getItemDb(tableName: string): Pick<KeyValues, 'get' | 'put' | 'lock'> & {
    del(key: string, callback: Callback): void
  }
}

export type Action = (store: ActionStore, request: Message, callback: Callback<Message>) => void

type UpdateIndexes = (
  store: ActionStore,
  table: Table,
  before: Item | undefined,
  after: Item | null,
  callback: Callback,
) => void

/** Dynalite's functions on keys, sizes, expressions and projections. */
export const db = require('dynalite/db') as Omit<Internals, 'queryTable'> & {
  queryTable: unknown
  updateIndexes: UpdateIndexes
  validateKey(key: Item, table: Table): Error | null | undefined
  validationError(message: string): Error
}

/** Dynalite's checks of requests, which throw DynamoDB's errors. */
export const { checkTypes, checkValidations } = require('dynalite/validations') as Validations

const lowerFirst = (name: string) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`

export const rulesOf = (operation: string): RequestRules =>
  require(`dynalite/validations/${lowerFirst(operation)}`)

export const actionOf = (operation: string): Action => require(`dynalite/actions/${lowerFirst(operation)}`)
