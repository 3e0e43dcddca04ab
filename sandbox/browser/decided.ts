/** In the bank's dialog: tells the surrounding page that the customer has answered. The message has no payment data. */
window.parent.postMessage({ sandbox: 'bank', news: { kind: 'decided' } }, '*')
