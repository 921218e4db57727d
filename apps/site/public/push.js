// The service worker of notifications. It shows push messages and opens their page, and nothing else: it serves no requests, so
// the site is always the one from the server.
self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data.path))
})

/** Browsers take the permission away if a push shows nothing, so an unreadable one is shown too. */
async function show(data) {
  let message = {}
  try {
    message = data.json()
  } catch {}
  const { id, taskId, title = 'Task Market', text = 'You have a new notification.', url = '/inbox' } = message
  await self.registration.showNotification(String(title), {
    body: String(text),
    icon: '/icon-192.png',
    // A newer message of a task replaces the older one; a repeated one is shown once.
    tag: String(taskId ?? id ?? 'task-market'),
    renotify: true,
    data: { path: findPath(url) },
  })
}

/** Only pages of this site are opened. */
function findPath(url) {
  const target = URL.parse(url, self.location.origin)
  return target?.origin === self.location.origin ? target.pathname + target.search : '/inbox'
}

async function openPage(path) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find((each) => new URL(each.url).pathname === path)
  await (shown ? shown.focus() : self.clients.openWindow(path))
}
