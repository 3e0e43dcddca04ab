import { showPopUp } from './pop-up-store.ts'

let question: Promise<boolean> | undefined
let answer: (proved: boolean) => void = () => undefined

/**
 * Opens the dialog that asks for the password. Calls that are refused at the same time share one dialog.
 *
 * @param load loads the dialog; if that fails, the user isn't asked
 */
export function askForProof(load: () => Promise<unknown>): Promise<boolean> {
  question ??= new Promise<boolean>((resolve) => {
    answer = resolve
    load().then(
      () => showPopUp('prove'),
      () => resolve(false),
    )
  }).finally(() => {
    question = undefined
  })
  return question
}

export const answerProof = (proved: boolean): void => answer(proved)
