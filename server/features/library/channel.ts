/** Notified when an account gets an e-book whose file is made per owner. */
export const OWN_FILE_DUE = 'own_file_due'
