// The origin of http-cache-tests on a free loopback port, which it prints; it ends with stdin.
// The module's own server listens on every address of the machine.
import http from 'node:http'
import process from 'node:process'
import handleConfig from 'http-cache-tests/server/handle-config.mjs'
import handleState from 'http-cache-tests/server/handle-state.mjs'
import handleTest from 'http-cache-tests/server/handle-test.mjs'

const handlers = { config: handleConfig, state: handleState, test: handleTest }

const server = http.createServer((request, response) => {
  const [, name, ...rest] = new URL(request.url, 'http://localhost').pathname.split('/')
  const handler = handlers[name]
  if (handler) {
    handler(rest, request, response)
  } else {
    response.writeHead(404).end()
  }
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.on('end', () => process.exit(0)).resume()
