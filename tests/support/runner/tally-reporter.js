import { appendFileSync } from 'node:fs'

/** Adds what jest has counted to the file named by TEST_TALLY_FILE, a line for each run of jest. */
export default class TallyReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const file = process.env.TEST_TALLY_FILE
    if (file) appendFileSync(file, `${numPassedTests} ${numFailedTests + numRuntimeErrorTestSuites}\n`)
  }
}
