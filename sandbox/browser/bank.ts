/** Focuses the first answer as soon as the surrounding page gives focus to the dialog's frame. */
const focusFirst = () => document.querySelector('button')!.focus()
window.addEventListener('focus', focusFirst, { once: true })
if (document.hasFocus()) focusFirst()
