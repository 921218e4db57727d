/**
 * The page of an unsubscribe link for mail programs that open it instead of sending the request of RFC 8058. A visit alone changes
 * nothing: scanners of mail open every link.
 */
export const unsubscribePage = [
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stop e-mails · Task Market</title>',
  '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
  '<meta name="color-scheme" content="light dark"></head><body><main>',
  '<h1>Stop e-mails</h1><p>The Task Market deletes your e-mail address and sends you nothing more.</p>',
  '<form method="post"><button>Stop e-mails</button></form></main></body></html>',
].join('\n')

export const unsubscribePageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const
