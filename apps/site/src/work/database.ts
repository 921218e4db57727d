/** What the site keeps in this browser besides settings: reading keys, and drafts of work with their sealed parts. */
const storeNames = ['keys', 'drafts', 'parts'] as const
type StoreName = (typeof storeNames)[number]

let opening: Promise<IDBDatabase> | undefined

function openDatabase(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('task-market-work', 1)
    request.onupgradeneeded = () => {
      for (const name of storeNames) request.result.createObjectStore(name)
    }
    request.onsuccess = () => {
      // A later version of the site in another tab must not wait for this one.
      request.result.onversionchange = () => request.result.close()
      request.result.onclose = () => {
        opening = undefined
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('Close the other tabs of this site, and try again.'))
  }).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

async function run<T>(name: StoreName, mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>) {
  const database = await openDatabase()
  return new Promise<T>((resolve, reject) => {
    const transaction = database.transaction(name, mode)
    const request = use(transaction.objectStore(name))
    // Only a complete transaction is on the disk.
    transaction.oncomplete = () => resolve(request.result)
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })
}

/** Loads a value; undefined if there is none. What comes back was written by this site, or by an earlier version of it. */
export const loadValue = (name: StoreName, key: string): Promise<unknown> =>
  run(name, 'readonly', (store) => store.get(key))

export async function saveValue(name: StoreName, key: string, value: unknown): Promise<void> {
  await run(name, 'readwrite', (store) => store.put(value, key))
}

/** Removes the value of a key, and of every key that begins with it and a slash. */
export async function removeValues(name: StoreName, key: string): Promise<void> {
  await run(name, 'readwrite', (store) => {
    store.delete(IDBKeyRange.bound(`${key}/`, `${key}/\uffff`))
    return store.delete(key)
  })
}

/** Deletes all drafts of work, with their files. Reading keys stay. */
export async function clearWorkDrafts(): Promise<void> {
  await run('drafts', 'readwrite', (store) => store.clear())
  await run('parts', 'readwrite', (store) => store.clear())
}
