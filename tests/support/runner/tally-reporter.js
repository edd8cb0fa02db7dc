import { appendFileSync } from 'node:fs'

/** Appends jest's counts of passed and failed tests to the file in TEST_TALLY_FILE, one line for each run of jest. */
export default class TallyReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const file = process.env.TEST_TALLY_FILE
    if (file) appendFileSync(file, `${numPassedTests} ${numFailedTests + numRuntimeErrorTestSuites}\n`)
  }
}
