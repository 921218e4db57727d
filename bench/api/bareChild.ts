// node bareChild.ts <hono|http> <port> <file>: serves the bytes of a file, and does nothing else.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const [kind, port, file = ''] = process.argv.slice(2)
const bytes = readFileSync(file)
if (kind === 'hono') {
  const app = new Hono()
  app.get('/api/market/open', (c) => c.body(bytes, 200, { 'content-type': 'application/json' }))
  serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' })
} else {
  createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes)
  }).listen(Number(port), '127.0.0.1')
}
