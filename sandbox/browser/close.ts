/** As a buyer who shuts PayPal's window: nothing is decided. */
document.querySelector('#close')!.addEventListener('click', () => {
  window.close()
  if (history.length > 1) history.back()
})
