import type { Env } from '../env.ts'
import { createFolderStore } from './folderStore.ts'
import type { ObjectStore } from './objectStore.ts'
import { createS3Store } from './s3Store.ts'

/** Opens the place of the parts that the environment names. */
export function openObjects({ SVC_STORE_FOLDER, SVC_STORE_S3_URL, ...s3 }: Env): ObjectStore {
  if (SVC_STORE_FOLDER) return createFolderStore(SVC_STORE_FOLDER)
  return createS3Store({
    url: SVC_STORE_S3_URL ?? '',
    region: s3.SVC_STORE_S3_REGION,
    keyId: s3.SVC_STORE_S3_KEY_ID ?? '',
    secret: s3.SVC_STORE_S3_SECRET ?? '',
    sessionToken: s3.SVC_STORE_S3_SESSION_TOKEN,
  })
}
