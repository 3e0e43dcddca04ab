/** As a buyer who shuts PayPal's window: nothing is decided. Before this runs a press would be lost, so it waits for it. */
const button = document.querySelector<HTMLButtonElement>('#close')!
button.addEventListener('click', () => {
  window.close()
  if (history.length > 1) history.back()
})
button.disabled = false
