/** For photos in the kind that iPhones make, which nobody has chosen themselves. */
export const HEIC_SENTENCE = 'This is a HEIC photo, which we cannot read yet. Save it as JPEG and send that.';
