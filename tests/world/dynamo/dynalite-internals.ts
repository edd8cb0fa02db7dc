import { createRequire } from 'node:module'
import type { Callback, Internals, Item, KeyValues, Table } from 'dynalite/db'

const require = createRequire(import.meta.url)

export type Message = Record<string, unknown>

/** `custom` checks the whole request. */
interface RequestRules {
  types: Record<string, unknown>
  custom?: (request: Message, store: object) => string | undefined
}

interface Validations {
  checkTypes(request: Message, types: object): Message
  checkValidations(request: Message, types: object, custom: RequestRules['custom'], store: object): void
}

/** Dynalite's actions need these parts of the store that contains the tables. */
export interface ActionStore {
  options: { maxItemSize: number }
  getTable(name: string, ...rest: [Callback<Table>] | [boolean, Callback<Table>]): void
  getItemDb(
    tableName: string,
  ): Pick<KeyValues, 'get' | 'put' | 'lock'> & { del(key: string, callback: Callback): void }
}

export type Action = (store: ActionStore, request: Message, callback: Callback<Message>) => void

type UpdateIndexes = (
  store: ActionStore,
  table: Table,
  before: Item | undefined,
  after: Item | null,
  callback: Callback,
) => void

export const db = require('dynalite/db') as Omit<Internals, 'queryTable'> & {
  queryTable: unknown
  createIndexKey(item: Item, table: Table, schema: Table['KeySchema']): string
  toRangeStr(value: string, type: string): string
  updateIndexes: UpdateIndexes
  validateKey(key: Item, table: Table): Error | null | undefined
  validationError(message: string): Error
}

/**
 * These keys sort like dynalite's keys. They begin with a hash, so that a Scan does not return partitions in the order
 * of their names. Dynalite's own hash function takes ten times as long.
 */
db.hashPrefix = (key, type) => hashOf(db.toRangeStr(key, type))
db.createKey = (item, table, schema = table.KeySchema) => {
  const [hash, ...range] = schema.map(({ AttributeName }) => {
    const [[type, value] = ['', '']] = Object.entries(item[AttributeName] ?? {})
    return db.toRangeStr(value, type)
  })
  return [hashOf(hash ?? ''), hash, ...range, ''].join('/')
}
db.createIndexKey = (item, table, schema) =>
  `${db.createKey(item, table, schema)}${schema === table.KeySchema ? '' : db.createKey(item, table)}`

const { checkTypes, checkValidations } = require('dynalite/validations') as Validations

const lowerFirst = (name: string) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`

/** Adds `ConsistentRead` to Scan, because dynalite's rules lack it. */
function rulesOf(operation: string): RequestRules {
  const rules: RequestRules = require(`dynalite/validations/${lowerFirst(operation)}`)
  return operation === 'Scan' ? { ...rules, types: { ...rules.types, ConsistentRead: 'Boolean' } } : rules
}

export const actionOf = (operation: string): Action => require(`dynalite/actions/${lowerFirst(operation)}`)

/** Returns the request with its expressions parsed. Throws dynalite's errors for an invalid request. */
export function checkRequest(operation: string, input: Message, store: ActionStore): Message {
  const { types, custom } = rulesOf(operation)
  const unknown = Object.keys(input).find(name => !(name in types))
  if (unknown) throw new Error(`The DynamoDB in memory does not know ${unknown} of ${operation}`)
  const request = checkTypes({ ...input }, types)
  checkValidations(request, types, custom, store)
  return request
}

/** FNV-1a in six hexadecimal digits. http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 8).toString(16).padStart(6, '0')
}
