import { expect, test } from 'vitest'
import { listSourceFolders } from './watchSources.ts'

test('an app is restarted for its own sources and for those of every package below it', () => {
  const folders = listSourceFolders('apps/api')
  expect(folders).toEqual(expect.arrayContaining(['apps/api/src', 'packages/reads/src', 'packages/protocol/src']))
  expect(folders).not.toContain('apps/gateway/src')
  expect(folders).not.toContain('packages/devnet/src')
})
