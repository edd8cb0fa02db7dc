import { parseSubscriptions } from '../../../lib/feed/publisher/subscription.ts'
import { SECRET } from '../../support/publisher/receiver.ts'

const USER = '0x1E0049783F008A0085193E00003D00cd54003c71'
const hook = { name: 'hook', to: 'https://hooks.example.org/events?key=private', secret: SECRET }
const toBus = { name: 'bus', to: 'eventbridge:orders' }
const deployed = { allowLoopback: false, networks: ['base', 'polygon'] as const }

test('values and lists of values are accepted in any order and any letter case', () => {
  const filters = { network: ['polygon', 'base', 'base'], event: 'Minted', address: [USER], user: USER }
  const user = USER.toLowerCase()
  const expected = {
    name: 'hook',
    target: { kind: 'webhook', url: hook.to, secrets: [SECRET] },
    scope: { network: ['base', 'polygon'], event: ['Minted'], address: [user], user },
    finalized: false,
    from: 'now',
  }

  const parsed = parseSubscriptions([{ ...hook, ...filters }], deployed)
  expect(parsed).toEqual({ problems: [], subscriptions: [expected] })
})

test('a bus needs no secret, and a webhook may have two', () => {
  const given = [toBus, { ...hook, secret: [SECRET, SECRET] }]
  const { subscriptions, problems } = parseSubscriptions(given, deployed)

  expect(problems).toEqual([])
  expect(subscriptions.map(({ target }) => target)).toEqual([
    { kind: 'bus', busName: 'orders' },
    { kind: 'webhook', url: hook.to, secrets: [SECRET, SECRET] },
  ])
})

const ELEVEN = Array.from({ length: 11 }, (_, n) => `0x${String(n).padStart(40, '0')}`)

test.each([
  [{ name: 'Hook' }, /^Subscription 1: name must consist of 1 to 64 lower-case letters/],
  [{ to: 'hooks.example.org' }, /^Subscription 1 \(hook\): to must be an https address/],
  [{ to: 'http://hooks.example.org' }, /: to must be an https address$/],
  [{ to: 'https://a:b@hooks.example.org' }, /: to must not contain a user name or a password/],
  [{ to: 'eventbridge:', secret: undefined }, /to must be eventbridge:<bus name>, with/],
  [{ to: 'eventbridge:orders' }, /secret must be left out/],
  [{ secret: undefined }, /secret is missing/],
  [
    { secret: 'whsec_c2hvcnQ=' },
    /secret must be whsec_ and 24 to 64 bytes in base64: create a secret with node/,
  ],
  [{ secret: 'private' }, /secret must be whsec_/],
  [{ network: 'solana' }, /network must be one of arbitrum, base, .*, or a list of these/],
  [{ network: ['ethereum'] }, /network must name a network that the table stores: base, polygon$/],
  [{ event: [] }, /event must be one of Minted, /],
  [{ address: '0x12' }, /address must be 0x and 40 hex digits/],
  [{ address: ELEVEN }, /at most 10 addresses/],
  [{ user: 7 }, /user must be 0x and 40 hex digits/],
  [{ finalized: 'true' }, /finalized must be true or false/],
  [{ from: 'start' }, /from must be beginning or now/],
  [{ adress: USER }, /there is no key "adress"; the valid keys are name, to, secret, network, event, /],
])('the problem with %j is one sentence, which quotes nothing secret', (change, sentence) => {
  const { subscriptions, problems } = parseSubscriptions([{ ...hook, ...change }], deployed)

  expect(subscriptions).toEqual([])
  expect(problems).toEqual([expect.stringMatching(sentence)])
  expect(problems.join()).not.toMatch(/private/)
})

test.each([
  ...['127.0.0.1', '2130706433', '0x7f.1', 'localhost', '10.1.2.3', '172.16.0.1', '192.168.1.1'],
  ...['169.254.169.254', '0.0.0.0', '168.63.129.16', '[::1]', '[::ffff:10.0.0.1]', '[::127.0.0.1]'],
  ...['[::a9fe:a9fe]', '[::ffff:a9fe:a9fe]', '[fd00:ec2::254]', '[fe80::1]', '[64:ff9b::a9fe:a9fe]'],
  ...['[2002:a9fe:a9fe::]', '100.64.0.1'],
])('%s is an address of an internal network', host => {
  const { problems } = parseSubscriptions([{ ...hook, to: `https://${host}/latest/meta-data/` }], deployed)

  const problem = 'Subscription 1 (hook): to is an address of an internal network, but must be public'
  expect(problems).toEqual([problem])
})

test('the command can send to this machine, even over plain HTTP, but to no other internal address', () => {
  const problemsOf = (to: string) => parseSubscriptions([{ ...hook, to }], { allowLoopback: true }).problems

  for (const host of ['127.0.0.1:8080', 'localhost:8080', '[::1]:8080'])
    expect([problemsOf(`http://${host}/`), problemsOf(`https://${host}/`)]).toEqual([[], []])
  expect(problemsOf('https://10.0.0.1/').join()).toContain('internal network')
  expect(problemsOf('http://hooks.example.org/').join()).toContain('only for loopback addresses')
})

test('all problems are reported, and valid subscriptions are served', () => {
  const wrong = { name: 'hook', to: 'https://10.1.2.3/', finalized: 'yes', adress: USER }
  const given = [{ name: 'x!', user: 'y' }, hook, wrong, 7]
  const { subscriptions, problems } = parseSubscriptions(given, deployed)

  expect(subscriptions.map(({ name }) => name)).toEqual(['hook'])
  expect(problems).toEqual([
    expect.stringContaining('Subscription 1: name must'),
    expect.stringContaining('Subscription 1: to must be'),
    expect.stringContaining('Subscription 1: user must be'),
    expect.stringContaining('finalized must be true or false'),
    expect.stringContaining('there is no key "adress"'),
    expect.stringContaining('to is an address of an internal network'),
    expect.stringContaining('secret is missing'),
    'Subscription 3 (hook): name must differ from the names of other subscriptions',
    'Subscription 4: it must be an object',
  ])
  expect(parseSubscriptions({ hook }, deployed).problems).toEqual(['Subscriptions must be a list'])
})
