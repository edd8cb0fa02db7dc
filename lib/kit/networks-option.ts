import { InvalidArgumentError, Option } from 'commander'
import { type Network, readNetworks } from '../events/networks.ts'
import { fromVariable } from './parse-options.ts'

/** `of` lists the wanted networks, or is undefined for all networks. */
export interface WantedNetworks {
  of: readonly Network[] | undefined
}

export const networksOption = (otherwise = 'those that are recorded in the table') =>
  fromVariable(
    'EVENTS_NETWORKS',
    new Option(
      '--networks <names>',
      `the networks of the table: all, or names separated by commas (default: ${otherwise})`,
    ).argParser(parseNetworks),
  )

function parseNetworks(value: string): WantedNetworks {
  // An empty value usually comes from a variable that is not set, so it must not mean all networks.
  if (value.trim() === '') throw new InvalidArgumentError('It must be all, or names separated by commas.')
  try {
    return { of: readNetworks(value) }
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}
