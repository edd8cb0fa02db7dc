/**
 * What a field of a record holds. `user` is an address that `user-events` matches, `address` any other address. `ids`
 * and `quantities` are lists of equal length, and a kind has both or neither.
 */
export type FieldForm = 'user' | 'address' | 'text' | 'uint256' | 'ids' | 'quantities'

/** What there is to know of a kind of event. */
interface Kind {
  /** Its name in the keys of the table, where each byte is stored with many items. */
  code: string
  /** Its number in the bytes of a stored record, below 16. A number is never given to another kind. */
  number: number
  /**
   * Its own fields in the record's order. Stored tables hold them in this order: addresses come first, three at most,
   * and at most one field is a text or a list of ids.
   */
  fields: Readonly<Record<string, FieldForm>>
}

const TRANSFER = {
  operator: 'user',
  from: 'user',
  to: 'user',
  tokenIds: 'ids',
  quantities: 'quantities',
} as const

/** The kinds of event, one row each, by the values of a record's `event`. */
export const KINDS = {
  Minted: {
    code: 'M',
    number: 0,
    fields: {
      creator: 'user',
      initialOwner: 'user',
      bucketHash: 'text',
      tokenId: 'uint256',
      quantity: 'uint256',
    },
  },
  MintedBatch: {
    code: 'MB',
    number: 1,
    fields: { token: 'address', owner: 'user', tokenIds: 'ids', quantities: 'quantities' },
  },
  TransferSingle: { code: 'TS', number: 2, fields: TRANSFER },
  TransferBatch: { code: 'TB', number: 3, fields: TRANSFER },
  OwnershipTransferred: { code: 'OT', number: 4, fields: { previousOwner: 'user', newOwner: 'user' } },
} as const satisfies Record<string, Kind>

export type EventKind = keyof typeof KINDS

export const EVENT_KINDS = Object.keys(KINDS) as readonly EventKind[]

/** The own fields of a kind, as its row has them. */
export type OwnFields<Name extends EventKind> = (typeof KINDS)[Name]['fields']

/** A value for each kind. */
export const ofEachKind = <Value>(toValue: (kind: EventKind) => Value) =>
  Object.fromEntries(EVENT_KINDS.map(kind => [kind, toValue(kind)])) as Record<EventKind, Value>

/** The own fields of each kind with their forms, in the record's order. */
export const OWN_FIELDS = ofEachKind(
  kind => Object.entries(KINDS[kind].fields) as readonly [name: string, form: FieldForm][],
)

type UserFieldOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends 'user' ? Name : never
}[keyof Fields]

export type UserField = { [Name in EventKind]: UserFieldOf<OwnFields<Name>> }[EventKind]

/** The fields of each kind that hold a user's address: what `user-events` matches. */
export const USER_FIELDS = ofEachKind(kind =>
  OWN_FIELDS[kind].flatMap(([name, form]) => (form === 'user' ? [name as UserField] : [])),
)

/** The filters of `token-events` that take a user's address. */
export const ROLES = ['creator', 'from', 'initialOwner', 'operator', 'owner', 'to'] as const

export type Role = (typeof ROLES)[number]

/** For each role, the field that holds it in each kind of event that knows the role. */
export const ROLE_FIELDS: Record<Role, Partial<Record<EventKind, UserField>>> = {
  creator: { Minted: 'creator' },
  initialOwner: { Minted: 'initialOwner' },
  owner: { MintedBatch: 'owner', OwnershipTransferred: 'newOwner' },
  operator: { TransferSingle: 'operator', TransferBatch: 'operator' },
  from: { TransferSingle: 'from', TransferBatch: 'from' },
  to: { TransferSingle: 'to', TransferBatch: 'to' },
}

/** The field of a kind that holds the ids of the tokens it moves, mints or burns, if it has one: one id, or a list. */
export const TOKEN_ID_FIELDS = Object.fromEntries(
  EVENT_KINDS.flatMap(kind =>
    OWN_FIELDS[kind].flatMap(([name, form]) => (form === 'ids' || name === 'tokenId' ? [[kind, name]] : [])),
  ),
) as Partial<Record<EventKind, 'tokenId' | 'tokenIds'>>
