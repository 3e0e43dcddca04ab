/** The dialog's first answer has the focus as soon as the page around it gives it to the dialog. */
const focusFirst = () => document.querySelector('button')!.focus()
window.addEventListener('focus', focusFirst, { once: true })
if (document.hasFocus()) focusFirst()
