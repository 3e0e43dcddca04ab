/** Where this script came from: its frames come from there too. Read while the script runs for the first time. */
const script = document.currentScript
if (!(script instanceof HTMLScriptElement))
  throw new Error('The sandbox is a classic script with an address.')
export const scriptOrigin = new URL(script.src).origin
