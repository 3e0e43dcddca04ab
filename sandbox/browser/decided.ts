/** Inside the bank's dialog: tells the page around it that the answer is given. Nothing of the payment is in it. */
window.parent.postMessage({ sandbox: 'bank', news: { kind: 'decided' } }, '*')
