/**
 * The origin of this script and of its frames. `document.currentScript` is only set during the script's first
 * execution.
 */
const script = document.currentScript
if (!(script instanceof HTMLScriptElement))
  throw new Error('The sandbox is a classic script with an address.')
export const scriptOrigin = new URL(script.src).origin
