import { openPopUp } from '../app/authentication.ts'

const logInFirst = () => openPopUp('log-in')

/** Asks a visitor to log in without leaving the page (ROLE-05). */
export const useLogInFirst = (): (() => void) => logInFirst
