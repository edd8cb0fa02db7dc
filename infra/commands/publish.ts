/** `npm run publish`: delivers a service's changes to a webhook or to an Amazon EventBridge bus. */
import { Option } from 'commander'
import { createEventsClient } from '../../lib/client/create-events-client.ts'
import { createClientFeed } from '../../lib/feed/publisher/change-feed.ts'
import { publishChanges } from '../../lib/feed/publisher/publish-changes.ts'
import type { PublishObserver, ServedSubscription } from '../../lib/feed/publisher/serving-context.ts'
import { openPublisherFile } from '../../lib/feed/publisher/state-file.ts'
import { parseSubscriptions, type Subscription } from '../../lib/feed/publisher/subscription.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { findRegion } from '../../lib/kit/find-region.ts'
import { fromVariable, parseServiceUrl } from '../../lib/kit/parse-options.ts'
import { counted } from '../../lib/kit/printable.ts'
import { createReporter, type LogFormat, logFormatOption, type Reporter } from '../../lib/kit/reporter.ts'
import { authorizeBy, type ChangesOptions, withChangesOptions } from '../../lib/kit/service-options.ts'
import { checkFolderOf } from '../../lib/kit/state-file.ts'
import { stopRequest } from '../../lib/kit/stop-request.ts'
import { explainClientError } from '../../lib/kit/unreachable-reasons.ts'

interface PublishCommandOptions extends ChangesOptions {
  service: string
  to: string
  secret?: string[]
  state: string
  name: string
  finalized: boolean
  from: 'beginning' | 'now'
  once: boolean
  logFormat: LogFormat
}

const HELP = `
Webhooks follow the Standard Webhooks specification; lib/feed/publisher/README.md has an example of a receiver. After
Ctrl-C, SIGTERM or a crash, run the command again: it continues, and repeats a batch that was not confirmed.
You can set the secret in PUBLISH_SECRET instead of --secret, so that it does not appear in the list of processes. If you
repeat --secret, each webhook is signed with both secrets, so that receivers can change from one to the other.

Examples:
  npm run publish -- --service http://127.0.0.1:3000 --to http://127.0.0.1:8080/ --secret whsec_… --state hook.state
  npm run publish -- --service https://events.example.org --to https://hooks.example.org/events --state hook.state \\
    --user 0x1e0049783f008a0085193e00003d00cd54003c71 --finalized
  npm run publish -- --service https://events.example.org --to eventbridge:orders --state bus.state --from beginning`

const command = createCommand('publish', { takesFiles: true, required: ['service', 'to', 'state'] })

await withChangesOptions(command)
  .description(
    "Delivers a service's changes to a webhook or to an Amazon EventBridge bus, in order and at least once.",
  )
  .option('--service <url>', 'the address of the service, without /v1', parseServiceUrl)
  .option('--to <receiver>', 'an https address (http only for loopback addresses), or eventbridge:NAME')
  .addOption(
    fromVariable(
      'PUBLISH_SECRET',
      new Option(
        '--secret <secret>',
        'the secret for signing webhooks (whsec_…); may be given twice',
      ).argParser((value, given: string[] = []) => [...given, value]),
    ),
  )
  .option('--state <file>', 'the file that stores the progress, created if it does not exist')
  .option('--name <name>', 'the name of the subscription, which the receiver can see', 'changes')
  .option('--finalized', 'only events of final blocks, and no removals', false)
  .addOption(
    new Option('--from <place>', 'where a new subscription begins')
      .choices(['beginning', 'now'])
      .default('now'),
  )
  .option('--once', 'exit as soon as everything is delivered or an attempt has failed', false)
  .addOption(logFormatOption())
  .addHelpText('after', HELP)
  .action(publish)
  .parseAsync()

async function publish(options: PublishCommandOptions) {
  const { service, once, logFormat } = options
  const request = stopRequest()
  const reporter = createReporter(logFormat)
  let states: ReturnType<typeof openPublisherFile> | undefined
  try {
    const subscription = subscriptionOf(options)
    const region = await findRegion()
    if (subscription.target.kind === 'bus' && !region)
      throw new Error('No AWS region was found: set AWS_REGION')
    checkFolderOf(options.state)
    states = openPublisherFile(options.state)
    const [served] = await publishChanges({
      subscriptions: [subscription],
      feed: createClientFeed(createEventsClient(service, { authorize: await authorizeBy(options) })),
      states,
      delivery: { allowLoopback: true, publicBaseUrl: service, region },
      observer: tellOfDeliveries(reporter, once),
      source: service.replace(/\/+$/, ''),
      once,
      stop: request.stop,
      abort: request.endAtOnce,
    })
    if (served) tellOfEnd(served, { reporter, once, stopCode: request.exitCode })
  } catch (error) {
    reporter.tell({ event: 'failed', level: 'error', message: explainClientError(error) })
    process.exitCode = 1
  } finally {
    states?.close()
  }
}

/** Throws a one-line error that names every problem. */
function subscriptionOf(options: PublishCommandOptions): Subscription {
  const { name, to, secret, finalized, from, network, event, address, user } = options
  const given = { name, to, secret, network, event, address, user, finalized, from }
  const { subscriptions, problems } = parseSubscriptions([given], { allowLoopback: true })
  const [subscription] = subscriptions
  if (subscription) return subscription
  throw new Error(problems.map(problem => problem.replace(/^.*?: /, '--')).join('; '))
}

function tellOfDeliveries(reporter: Reporter, once: boolean): PublishObserver {
  function next({ batch, pauseMs }: { batch: string; pauseMs: number }): string {
    const seconds = Math.ceil(pauseMs / 1000)
    return once
      ? `the first run that begins at least ${seconds} s from now will send batch ${batch} again`
      : `batch ${batch} will be sent again in ${seconds} s`
  }
  return {
    delivered: ({ subscription: _, ...told }) =>
      reporter.tell({
        event: 'delivered',
        ...told,
        message: `Delivered ${counted(told.changes, 'change')} (${told.batch})`,
      }),
    failed: ({ subscription: _, ...told }) =>
      reporter.tell({
        event: 'failed-attempt',
        level: 'error',
        ...told,
        message: `${told.reason}; ${next(told)}`,
      }),
    paused: ({ subscription: _, ...told }) =>
      reporter.tell({
        event: 'paused',
        ...told,
        message: `An earlier attempt failed; ${next(told)}`,
      }),
    waiting: ({ reason }) => reporter.tell({ event: 'waiting', level: 'error', message: reason }),
  }
}

function tellOfEnd(
  { delivered, isUpToDate, ended, error }: ServedSubscription,
  { reporter, once, stopCode }: { reporter: Reporter; once: boolean; stopCode: number },
): void {
  if (error) throw error
  const sum = `${counted(delivered, 'change')} delivered`
  if (ended !== undefined) {
    reporter.conclude({ event: 'ended', delivered, message: `${sum}; the subscription has ended. ${ended}` })
    process.exitCode = 1
  } else if (isUpToDate && once) {
    reporter.conclude({ event: 'published', delivered, message: `${sum}, and the receiver is up to date` })
  } else {
    const message = `${sum}; to continue, run the same command again`
    reporter.conclude({ event: 'stopped', delivered, message })
    process.exitCode = stopCode || 1
  }
}
