/** The exact texts of the account pages, which are not part of the first view. */

export const ACCOUNT_MESSAGES = {
  firstNameRequired: 'First name is required',
  lastNameRequired: 'Last name is required',
  nameHoldsLink: 'A name can’t hold a web address, an email address, or < and >',
  nameTooLong: 'This must be 100 characters or fewer',
  countryRequired: 'Country is required',
  passwordTooShort: 'Password must be at least 8 characters long',
  passwordTooLong: 'Password must be less than 60 characters long',
  passwordTooCommon: 'This password is too common',
  passwordIsOwnName: 'Your password can’t be your own name or email address',
  passwordToConfirm: 'Enter your password to confirm this address',
  passwordJustChanged:
    'Your password was changed a moment ago, in another tab or on another device, so this change wasn’t made. If that wasn’t you, choose “Forgotten your password?” on the log-in page.',
  emailIsYoursAlready: 'This is already your address',
  wrongPassword: 'That isn’t your password',
  oldPasswordRequired: 'Old password is required',
  newPasswordRequired: 'New password is required',
  emailAlreadyTaken: 'This email is already taken',
  emailAlreadyExists: 'This email already exists with a user account, please sign in',
  emailMustBeSame: 'Email must be same',
  passwordIsSet: 'Your new password is set.',
  confirmationFailed: 'We’re sorry, there seems to have been an error verifying your account',
  confirmationFailedOnMembership:
    'There was a problem confirming your email. Please try the link again or contact support.',
  changesSaved: 'Changes saved!',
  saveFailed: 'Ups! Error!',
} as const
