// Runs the public suite http-tests/cache-tests against a gateway, as a private cache of the kind that browsers have.
//
//   node run.mjs SUITE BASE [RESULTS]
//
// SUITE is a checkout of the suite, BASE the address of the gateway, RESULTS a file for what each test said. Prints how
// many required and optimal tests pass, and which do not. A test counts where those pass that it depends on.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [suite, base, file] = process.argv.slice(2)
if (!base) {
  console.error('usage: node run.mjs SUITE BASE [RESULTS]')
  process.exit(2)
}
const load = name => import(pathToFileURL(path.resolve(suite, name)))
const { default: suites } = await load('tests/index.mjs')
const { runTests, getResults } = await load('test-engine/client/runner.mjs')
const { determineTestResult, resultTypes } = await load('test-engine/lib/results.mjs')

await runTests(suites, true, base)
const results = getResults()
if (file) fs.writeFileSync(file, JSON.stringify(results, null, 2))

const tests = suites.flatMap(suite => suite.tests).filter(test => test.id in results)
const verdict = test => determineTestResult(suites, test.id, results)
const say = test => `  ${test.id}: ${Array.isArray(results[test.id]) ? results[test.id].join(': ') : 'a test that it depends on fails'}`
for (const kind of ['required', 'optimal']) {
  const all = tests.filter(test => (test.kind ?? 'required') === kind)
  const failed = all.filter(test => verdict(test) !== resultTypes.pass)
  console.log(`${kind}: ${all.length - failed.length} of ${all.length}`)
  for (const test of failed) console.log(say(test))
}
