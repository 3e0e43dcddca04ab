/** The channel on which it is told that a title came into a library whose file is made for its owner. */
export const OWN_FILE_DUE = 'own_file_due'
