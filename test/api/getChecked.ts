import { apiRoutes } from '@svc/operations'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Service } from '../harness/service.ts'

/** Sends a GET request, and checks the body of a 200 against the schema of its route. */
export async function getChecked({ app }: Service, url: string, headers: Record<string, string> = {}) {
  const response = await app.request(url, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: the schema is checked below
  const body: any = response.status === 304 ? null : await response.json()
  const route = apiRoutes.find(({ path }) => url.startsWith(path))
  if (response.status === 200 && route)
    expect(z.safeParse(route.operation.output, body).error?.issues ?? [], url).toEqual([])
  return { status: response.status, body, headers: response.headers }
}
