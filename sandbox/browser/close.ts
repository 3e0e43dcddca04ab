/**
 * Closes PayPal's window without a decision, as a buyer might. The button is enabled only when this script has loaded;
 * before, a press would be lost.
 */
const button = document.querySelector<HTMLButtonElement>('#close')!
button.addEventListener('click', () => {
  window.close()
  if (history.length > 1) history.back()
})
button.disabled = false
