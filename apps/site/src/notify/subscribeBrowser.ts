import { notificationsText as labels } from '../text/notifications.ts'

/** Whether this browser can get push messages. */
export const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Asks for permission and subscribes this browser with the key of the notifier. Throws with what to tell the user. */
export async function subscribeBrowser(
  pushKey: string,
): Promise<{ endpoint: string; keys: { p256dh: string; auth: string } }> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error(labels.push.denied)
  try {
    const registration = await navigator.serviceWorker.register('/push.js', { updateViaCache: 'none' })
    await navigator.serviceWorker.ready
    // A subscription with an older key of the notifier cannot be used any more.
    const known = await registration.pushManager.getSubscription()
    if (known && encode(known.options.applicationServerKey) !== pushKey) await known.unsubscribe()
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: pushKey,
    })
    return {
      endpoint: subscription.endpoint,
      keys: { p256dh: encode(subscription.getKey('p256dh')), auth: encode(subscription.getKey('auth')) },
    }
  } catch {
    throw new Error(labels.push.failed)
  }
}

const encode = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer())))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
