import { type Command, Option } from 'commander'
import { EVENT_KINDS, type EventKind } from '../events/event-kinds.ts'
import { NETWORKS, type Network } from '../events/networks.ts'
import { addAddress, addOneOf, parseAddress } from './parse-options.ts'

/** The filters for the changes that a command reads from the feed. */
export interface ScopeOptions {
  network?: Network[]
  event?: EventKind[]
  address?: string[]
  user?: string
}

export const withScopeOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--network <name>', 'only of this network; may be repeated').argParser(addOneOf(NETWORKS)),
    )
    .addOption(
      new Option('--event <kind>', 'only events of this kind; may be repeated').argParser(
        addOneOf(EVENT_KINDS),
      ),
    )
    .option('--address <address>', 'only events of this token contract; may be repeated', addAddress)
    .option('--user <address>', 'only events in which this user takes part', parseAddress)
