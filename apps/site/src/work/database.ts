/** What the site keeps in this browser besides settings: reading keys, drafts of work with their sealed parts, and messages. */
const storeNames = ['keys', 'drafts', 'parts', 'mail'] as const
type StoreName = (typeof storeNames)[number]

let opening: Promise<IDBDatabase> | undefined

function openDatabase(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('task-market-work', 2)
    request.onupgradeneeded = () => {
      const { result } = request
      for (const name of storeNames) if (!result.objectStoreNames.contains(name)) result.createObjectStore(name)
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

/** Replaces a value by one that depends on it. Two tabs cannot lose each other's change. */
export async function changeValue(name: StoreName, key: string, change: (value: unknown) => unknown): Promise<void> {
  const database = await openDatabase()
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction(name, 'readwrite')
    const store = transaction.objectStore(name)
    const request = store.get(key)
    request.onsuccess = () => store.put(change(request.result), key)
    transaction.oncomplete = () => resolve()
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })
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
