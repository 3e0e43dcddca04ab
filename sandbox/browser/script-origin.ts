/** Where this script came from: its frames come from there too. Read while the script runs for the first time. */
export const scriptOrigin = new URL((document.currentScript as HTMLScriptElement).src).origin
