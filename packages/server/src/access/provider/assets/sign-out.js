// The app asked for the sign-out, so it is confirmed at once. Without scripts, the button does it.
document.querySelector('button[name=logout]').click()
