/** The functions whose traffic is shifted. Each value is the prefix of the function's names in the template. */
export const SHIFTED_FUNCTIONS = {
  userEvents: 'UserEvents',
  tokenEvents: 'TokenEvents',
  changes: 'Changes',
} as const

export type ShiftedFunction = keyof typeof SHIFTED_FUNCTIONS

/** The name of the alias through which routes and schedules call a function. */
export const LIVE_ALIAS = 'live'

export const aliasResource = (key: ShiftedFunction): string => `${SHIFTED_FUNCTIONS[key]}LiveAlias`
