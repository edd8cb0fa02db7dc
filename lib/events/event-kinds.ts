/**
 * The form of a record's field. `user` is an address that `user-events` matches, and `address` is any other address.
 * `ids` and `quantities` are lists of equal length, and a kind has both lists or neither.
 */
export type FieldForm = 'user' | 'address' | 'text' | 'uint256' | 'ids' | 'quantities'

interface Kind {
  /** The kind's name in the table's keys. The name is short, because many items contain it. */
  code: string
  /** Must be below 16, to fit into four bits. Never give another kind this number, because old records contain it. */
  number: number
  /**
   * The kind's fields without `COMMON_FIELDS`, in the order of the record. Never change this order, because stored
   * records depend on it. The addresses, at most three, come first. At most one field is a text or a list of ids.
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

/** Each key is the value of `event` in the kind's records. */
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

/** Every record begins with these fields, in this order. The kind's own fields follow. */
export const COMMON_FIELDS = [
  'event',
  'id',
  'network',
  'address',
  'blockNumber',
  'blockHash',
  'transactionHash',
  'logIndex',
  'createdAt',
] as const

export type OwnFields<Name extends EventKind> = (typeof KINDS)[Name]['fields']

/** The EVM log that becomes a record of this kind (see `lib/chain/logs/event-declarations.ts`). */
interface OwnLog<Name extends EventKind> {
  signature: `event ${string}`
  /** For each of the kind's own fields, the name of the log parameter that holds the field's value. */
  parameters: Record<keyof OwnFields<Name>, string>
}

/** This table is separate from `KINDS` so that only functions that decode logs load its texts. */
export const OWN_LOGS: { [Name in EventKind]: OwnLog<Name> } = {
  Minted: {
    signature:
      'event Minted(address indexed creator, address indexed initialOwner, string _bucketHash, uint256 _tokenId, uint256 _quantity)',
    parameters: {
      creator: 'creator',
      initialOwner: 'initialOwner',
      bucketHash: '_bucketHash',
      tokenId: '_tokenId',
      quantity: '_quantity',
    },
  },
  MintedBatch: {
    signature:
      'event MintedBatch(address indexed token, address indexed owner, uint256[] _tokenIds, uint256[] _quantities)',
    parameters: { token: 'token', owner: 'owner', tokenIds: '_tokenIds', quantities: '_quantities' },
  },
  // https://eips.ethereum.org/EIPS/eip-1155
  TransferSingle: {
    signature:
      'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
    parameters: { operator: 'operator', from: 'from', to: 'to', tokenIds: 'id', quantities: 'value' },
  },
  TransferBatch: {
    signature:
      'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
    parameters: { operator: 'operator', from: 'from', to: 'to', tokenIds: 'ids', quantities: 'values' },
  },
  // https://eips.ethereum.org/EIPS/eip-173
  OwnershipTransferred: {
    signature: 'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
    parameters: { previousOwner: 'previousOwner', newOwner: 'newOwner' },
  },
}

/**
 * The names of the kinds on the explorer page, in the order of the page's filters. In the chart, the parts of each bar
 * have the same order, from the bottom up. Transfers come first, because most events are transfers. `Minted` and
 * `MintedBatch` only announce a mint, and a separate transfer moves the minted tokens. The page calls this transfer
 * "Minted", so the two kinds must have other names. Only the explorer loads this table.
 */
export const KIND_LABELS: Record<EventKind, string> = {
  TransferSingle: 'Transfer',
  TransferBatch: 'Batch transfer',
  Minted: 'Mint notice',
  MintedBatch: 'Batch mint notice',
  OwnershipTransferred: 'Ownership',
}

export const ofEachKind = <Value>(toValue: (kind: EventKind) => Value) =>
  Object.fromEntries(EVENT_KINDS.map(kind => [kind, toValue(kind)])) as Record<EventKind, Value>

/** For each kind, the names and forms of its own fields, in the record's order. */
export const OWN_FIELDS = ofEachKind(
  kind => Object.entries(KINDS[kind].fields) as readonly [name: string, form: FieldForm][],
)

type UserFieldOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends 'user' ? Name : never
}[keyof Fields]

export type UserField = { [Name in EventKind]: UserFieldOf<OwnFields<Name>> }[EventKind]

/** For each kind, the fields in which `user-events` looks for the user's address. */
export const USER_FIELDS = ofEachKind(kind =>
  OWN_FIELDS[kind].flatMap(([name, form]) => (form === 'user' ? [name as UserField] : [])),
)

/** Each role is a filter of `token-events`. */
export const ROLES = ['creator', 'from', 'initialOwner', 'operator', 'owner', 'to'] as const

export type Role = (typeof ROLES)[number]

/** Kinds without the role are omitted. */
export const ROLE_FIELDS: Record<Role, Partial<Record<EventKind, UserField>>> = {
  creator: { Minted: 'creator' },
  initialOwner: { Minted: 'initialOwner' },
  owner: { MintedBatch: 'owner', OwnershipTransferred: 'newOwner' },
  operator: { TransferSingle: 'operator', TransferBatch: 'operator' },
  from: { TransferSingle: 'from', TransferBatch: 'from' },
  to: { TransferSingle: 'to', TransferBatch: 'to' },
}

/** For each kind, the field with the id or ids that the event moves, mints or burns. Kinds without ids are omitted. */
export const TOKEN_ID_FIELDS = Object.fromEntries(
  EVENT_KINDS.flatMap(kind =>
    OWN_FIELDS[kind].flatMap(([name, form]) => (form === 'ids' || name === 'tokenId' ? [[kind, name]] : [])),
  ),
) as Partial<Record<EventKind, 'tokenId' | 'tokenIds'>>

/** The sender of minted tokens and the receiver of burned tokens (ERC-1155, "Safe Transfer Rules"). */
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
