import fc from 'fast-check'
import { PARAMETERS } from '../../../lib/query/parameters.ts'
import { type ApiRequest, withoutParameters } from './api-request.ts'

/** Known and unknown names, and names of properties that all objects have. Other tests cover `cursor`. */
const NAMES = [
  ...Object.keys(PARAMETERS['token-events']).filter(name => name !== 'cursor'),
  ...'Limit offset created_at adress previousOwner id __proto__ constructor toString'.split(' '),
]

/** Values at or beyond a bound, or in notations that lenient parsers accept. Some are valid for some parameters. */
const VALUES = [
  ...['', ' 5', '5 ', ...'0 1 007 -1 -0 +5 1e3 0x10 1.0 1_000 1,2 NaN ٣ ５'.split(' ')],
  ...['100000000', '100000001', '9007199254740991', '9007199254740992', '9'.repeat(400)],
  ...['asc', 'desc', 'DESC', ' asc', '1,desc', 'desc,1', 'null', 'undefined', 'true', '[object Object]'],
  ...['2024-04-01', '2024-02-30', '2024-04-01T12:00:00', '2024-04-01T12:00:00Z', '2024-04-01T12:00:00 02:00'],
  ...['1711929600', '1711929600000', '2024', '20240401', '999999999999', '1000000000000'],
  ...['0xff', '0xfg', String(2n ** 256n - 1n), String(2n ** 256n), 'false', 'TRUE'],
  ...['base,polygon', 'base,', 'Minted,minted', 'Minted,Minted', `${'x'.repeat(40)},${'y'.repeat(40)}`],
  ...['json', 'ndjson', 'csv', 'CSV', 'text/csv', 'json,csv', 'base:1000000000000', 'base:1,polygon'],
  ...['Minted', 'minted', 'Minted,MintedBatch', 'base', 'Base', 'bsc', 'toString', '__proto__'],
  ...[34, 35, 41, 42, 55, 56, 65, 66, 3000].map(length => 'x'.repeat(length)),
]

export const spoiled = (requests: fc.Arbitrary<ApiRequest>): fc.Arbitrary<ApiRequest> =>
  fc.record({ request: requests, changes: fc.array(change, { minLength: 1, maxLength: 3 }) }).map(spoil)

const change = fc.record({
  pair: fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)),
  at: fc.nat(10),
  isReplacement: fc.boolean(),
})

type Change = { pair: [string, string]; at: number; isReplacement: boolean }

function spoil({ request, changes }: { request: ApiRequest; changes: Change[] }): ApiRequest {
  const query = changes.reduce(
    (given, { pair, at, isReplacement }) =>
      (isReplacement ? withoutParameters(given, pair[0]) : given).toSpliced(at, 0, pair),
    request.query,
  )
  return { ...request, query }
}
