// Runs the cases of http-cache-tests through one proxy and prints one JSON line a case.
// Knows node's module of the cases; refuses to know which proxy it is.
//   node run.mjs PROXY ORIGIN
import process from 'node:process'
import fetch from 'node-fetch'
import agents from 'http-proxy-agent'
import suites from 'http-cache-tests/tests/index.mjs'
import { getResults, runTests } from 'http-cache-tests/client/runner.mjs'

const AT_ONCE = 25

// An Expires that is no HTTP date lies in the past (RFC 9111, section 5.3). This version of the
// cases only asks what a cache does with it; the published ones require it, and so do we.
const parsing = suites.find(suite => suite.id === 'expires-parse').tests
for (const test of parsing.filter(test => test.id.startsWith('freshness-expires-invalid-'))) {
  test.kind = 'required'
  test.requests.at(-1).expected_type = 'not_cached'
}

const [proxy, origin] = process.argv.slice(2)
const agent = new agents.HttpProxyAgent(proxy)
await runTests(suites, (url, init = {}) => fetch(url, { ...init, agent }), false, origin, AT_ONCE)

const results = getResults()
for (const suite of suites) {
  for (const test of suite.tests.filter(test => test.id in results)) {
    const result = results[test.id]
    console.log(JSON.stringify({
      suite: suite.id,
      id: test.id,
      kind: test.kind ?? 'required',
      depends: test.depends_on ?? [],
      failure: result === true ? '' : result.join(': ')
    }))
  }
}
process.exit(0)
