import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { EventRecord } from '../../../lib/events/record.ts'
import { startFaultProxy } from '../../support/faults/fault-proxy.ts'
import { isWrite } from '../../support/faults/faults.ts'
import { hanging } from '../../support/faults/read-faults.ts'
import { listen } from '../../support/http/listen.ts'
import { failureOf, refusalOf, runCommand, startCommand } from '../../support/programs/run-command.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { ndjson, rawLogOf } from '../../support/records/raw-log-of.ts'
import { until } from '../../support/runner/until.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'
import { itemsOfAll, storedItems } from '../../support/store/stored-items.ts'

const engine = useEngine()
const writeText = useTextFiles()
const RECORDS = eventSetOf({ blocks: 3, events: 2 }, 3)

async function setup() {
  const tableName = await engine.createEventsTable()
  return {
    target: ['--endpoint', engine.endpoint, '--table', tableName],
    stored: () => storedItems(engine.client, tableName),
  }
}

/** Enough to store some events, but far from all. */
const ANSWERED_WRITES = 40

describe('npm run load', () => {
  it('loads files and prints what was loaded', async () => {
    const { target, stored } = await setup()
    const half = Math.ceil(RECORDS.length / 2)
    const first = await writeText('first.ndjson', ndjson(RECORDS.slice(0, half).map(rawLogOf)))
    const second = await writeText('second.ndjson', ndjson(RECORDS.slice(half).map(rawLogOf)))
    const { code, output, errors } = await runCommand('load', [...target, first, second])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const [totals, , header, ...rows] = output.trim().split('\n')
    expect(totals).toBe(
      `${RECORDS.length} events loaded from ${RECORDS.length} lines; 0 lines left out, 0 repeated`,
    )
    expect(header).toMatch(/^network +event +events$/)
    expect(rows.reduce((sum, row) => sum + Number(row.split(/ +/)[2]), 0)).toBe(RECORDS.length)
    expect(await stored()).toEqual(itemsOfAll(RECORDS))
  })

  it('prints the first 20 lines that it left out, or writes all to a file, and fails only with --strict', async () => {
    const { target } = await setup()
    const log = ndjson(RECORDS.slice(0, 1).map(rawLogOf))
    const file = await writeText('bad.ndjson', `${'bad\n'.repeat(23)}${log}`)
    const rejects = await writeText('rejects', '')

    const told = await runCommand('load', [...target, file])
    const written = await runCommand('load', [...target, '--strict', '--rejects', rejects, file])

    expect(told.code).toBe(0)
    expect(told.output).toContain('1 event loaded from 24 lines; 23 lines left out, 0 repeated\n')
    const lines = told.errors.trim().split('\n')
    expect([lines[0], lines.length, lines.at(-1)]).toEqual([
      `${file}:1: a log must be JSON`,
      21,
      '… and 3 more lines left out',
    ])
    expect(written).toMatchObject({ code: 1, errors: '' })
    const all = (await readFile(rejects, 'utf8')).trim().split('\n')
    expect([all.length, all[22]]).toEqual([23, `${file}:23: a log must be JSON`])
  })

  it('writes left out lines over those of an earlier run of the same files, and over nothing else', async () => {
    const { target } = await setup()
    const files = await Promise.all(['one', 'two'].map(name => writeText(`${name}.ndjson`, 'bad\n')))
    const [one = '', two = ''] = files
    const rejects = path.join(path.dirname(one), 'new-rejects')
    const load = (file: string, ...sources: string[]) =>
      runCommand('load', [...target, '--rejects', file, ...sources])

    expect(await failureOf(load(one, two))).toBe(
      `Can't write ${one}: a file with this name and other content already exists; choose another name for --rejects\n`,
    )
    expect(await readFile(one, 'utf8')).toBe('bad\n')
    for (let run = 0; run < 2; run++) {
      await load(rejects, one)
      expect(await readFile(rejects, 'utf8')).toBe(`${one}:1: a log must be JSON\n`)
    }
    expect((await load('/dev/null', one)).errors).not.toContain("Can't write")
  })

  it('fails where later lines contradict one with a time in the future, and not where none does', async () => {
    const { target } = await setup()
    const [early, late] = [10, 11].map(blockNumber => rawLogOf(makeEvent('Minted', { blockNumber })))
    const wrong = { ...early, blockTimestamp: 32_000_000_000 }
    const file = await writeText('future.ndjson', ndjson([wrong, { ...late, logIndex: 7 }]))
    const alone = await writeText('alone.ndjson', ndjson([wrong]))

    const { code, errors } = await runCommand('load', [...target, file])

    expect(code).toBe(1)
    expect(errors).toContain(
      `${file}:1 has the time 2984-01-15T08:53:20.000Z, which is in the future. 1 line contradicted earlier lines, so it was left out.`,
    )
    expect(await runCommand('load', [...target, alone])).toMatchObject({ code: 0, errors: '' })
  })

  it('takes file names relative to where npm was called', async () => {
    const { target } = await setup()
    const file = await writeText('relative.ndjson', ndjson(RECORDS.map(rawLogOf)))
    const env = { npm_lifecycle_event: 'load', INIT_CWD: path.dirname(file) }
    const { output } = await runCommand('load', [...target, 'relative.ndjson'], { env })
    expect(output).toContain(`${RECORDS.length} events loaded`)
  })

  it('stops on Ctrl-C, says how to go on, and the same command completes the load', async () => {
    const { target, stored } = await setup()
    const records = eventSetOf({ blocks: 40, events: 5 }, 3)
    const file = await writeText('many.ndjson', ndjson(records.map(rawLogOf)))
    let writes = 0
    const stuck = await startFaultProxy(engine.endpoint, (request, forward) =>
      isWrite(request) && ++writes > ANSWERED_WRITES ? hanging(request, forward) : forward(),
    )
    const { child, ended } = startCommand('load', [...target, '--endpoint', stuck.url, file])
    await until(() => writes > ANSWERED_WRITES)
    child.kill('SIGINT')

    const { code, errors } = await ended
    expect(code).toBe(130)
    expect(errors).toMatch(
      /^Stopped. Stored so far: \d+ events. To load the rest, run the same command again.\n$/,
    )
    await stuck.stop()
    expect((await stored()).length).toBeLessThan(itemsOfAll(records).length)
    expect(await runCommand('load', [...target, file])).toMatchObject({ code: 0, errors: '' })
    expect(await stored()).toEqual(itemsOfAll(records))
  })

  it('needs no more memory for a large file', async () => {
    const { target } = await setup()
    const [record] = RECORDS as [EventRecord]
    const unknown = { ...rawLogOf(record), topics: [`0x${'7'.repeat(64)}`], data: `0x${'00'.repeat(50_000)}` }
    const file = await writeText('large.ndjson', ndjson([unknown]).repeat(1500) + ndjson([rawLogOf(record)]))
    const options = { nodeOptions: ['--max-old-space-size=96'] }
    expect(await runCommand('load', [...target, file], options)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^1 event loaded from 1501 lines/),
    })
  })
})

describe('npm run load of a file that is cut off', () => {
  const logs = RECORDS.map(rawLogOf)
  const cut = (text: string) => text.slice(0, text.lastIndexOf('"data"'))

  it('loads what stands before the cut, and fails', async () => {
    const { target, stored } = await setup()
    const file = await writeText('cut', cut(ndjson(logs)))

    const { code, output, errors } = await runCommand('load', [...target, file])

    expect(code).toBe(1)
    expect(output).toContain(`${RECORDS.length - 1} events loaded`)
    expect(errors).toBe(
      `${file} is truncated on line ${RECORDS.length}: the rest is missing. Get the complete file, and run the command again\n`,
    )
    expect(await stored()).toEqual(itemsOfAll(RECORDS.slice(0, -1)))
  })

  it('and has no whole log says so once', async () => {
    const { target } = await setup()
    const file = await writeText('cut', cut(ndjson(logs.slice(0, 1))))

    const errors = await failureOf(runCommand('load', [...target, file]))

    expect(errors.split('\n')).toEqual([
      `${file} contains no known events. These lines were left out:`,
      expect.stringMatching(
        /^ {2}1 log: the file is truncated: it ends in .*; first on line 1: \{"network":/,
      ),
      '  Get the complete file, and run the command again',
      '',
    ])
  })
})

describe('npm run load of a file of something else', () => {
  /** Control characters of one or two bytes. They turn a terminal's text red, clear the screen and set the title. */
  const OBEYED = '\x1b[31m\x1b[2J\x1b]0;title\x07\u009b31m\x7f\r'

  it.each(['text', 'json'])('writes no control character of it to a terminal, as %s', async format => {
    const { target } = await setup()
    const refusal = JSON.stringify({ jsonrpc: '2.0', error: { message: OBEYED } })
    const file = await writeText('obeyed', `${OBEYED}\n{"a":"${OBEYED}"}\n${refusal}\n`)
    const rejects = await writeText('rejects', '')

    const { errors, output } = await runCommand('load', [...target, '--log-format', format, file])
    await runCommand('load', [...target, '--rejects', rejects, file])

    expect(errors).toContain('\\u001b[31m')
    expect(errors + output + (await readFile(rejects, 'utf8'))).not.toMatch(/[^\P{Cc}\n]/u)
  })

  it('calls CSV so', async () => {
    const { target } = await setup()
    const file = await writeText('logs.csv', 'network,address,topics\nbase,0x12,0x13\n')

    const errors = await failureOf(runCommand('load', [...target, file]))

    expect(errors).toBe(`${file} contains no known events. These lines were left out:
  2 logs: a log must be JSON; first on line 1: network,address,topics …
  The file looks like CSV, but logs must be JSON (npm run load -- --help)
`)
  })
})

describe('npm run load, when it cannot work', () => {
  const inTable = async (...args: string[]) => [...(await setup()).target, ...args]
  const at = async (endpoint: string | Promise<string>, table = 'events') => [
    '--endpoint',
    await endpoint,
    '--table',
    table,
    'README.md',
  ]
  const stopLater = useStops()
  const answering = async (status: number, body: string) => {
    const other = await listen((_, response) => response.writeHead(status).end(body))
    return stopLater(other).baseUrl
  }
  const NO_DYNAMO =
    /^Something other than DynamoDB answers at \S+\. Specify another --endpoint; npm start prints the address of its DynamoDB$/

  it.each<[string, () => string | Promise<string[]>, string | RegExp]>([
    ['a folder', () => inTable('lib'), "Can't read lib: it is a folder, not a file"],
    [
      'a file for rejects that cannot be written',
      () => inTable('--rejects', '/no/such/folder', 'README.md'),
      "Can't write /no/such/folder: its folder does not exist",
    ],
    [
      'a folder for rejects',
      () => inTable('--rejects', 'lib', 'README.md'),
      "Can't write lib: it is a folder, not a file",
    ],
    [
      'a name that no table has',
      () => at(engine.endpoint, 'no'),
      'no is not a valid table name: it must consist of 3 to 255 letters, digits, dots, hyphens and underscores',
    ],
    ['an endpoint that answers 404', () => at(answering(404, '{"message":"Not found"}')), NO_DYNAMO],
    ['an endpoint that answers something else', () => at(answering(200, 'healthy')), NO_DYNAMO],
    ['the address of a node', () => at(answering(200, '{"jsonrpc":"2.0","id":null,"error":{}}')), NO_DYNAMO],
    [
      'https for http',
      async () => at((await answering(200, '{}')).replace('http:', 'https:')),
      /^DynamoDB does not answer at \S+: the server does not use TLS; try http:\/\/ instead of https:\/\/$/,
    ],
    ['an endpoint that is no URL', () => '--table events --endpoint localhost x', /It must be a URL such as/],
    [
      'AWS without credentials',
      () => '--table events --region eu-west-1 x',
      /^No usable AWS credentials were found \(/,
    ],
  ])('says in one line what is wrong with %s', async (_, given, message) => {
    const args = [await given()].flat().join(' ').split(' ')

    expect(await refusalOf('load', args)).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
  })
})
