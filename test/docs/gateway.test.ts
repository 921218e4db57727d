import { gatewayEndpoints, paidEndpoints } from '@svc/operations'
import { expect, test } from 'vitest'
import { readPage } from './markdown.ts'

test('docs/gateway.md has every route of the gateway, with its method', () => {
  const routes = [...Object.values(gatewayEndpoints), ...Object.values(paidEndpoints)]
  const { text } = readPage('docs/gateway.md')
  expect(routes.filter((route) => !text.includes(`\`${route}\``))).toEqual([])
})
