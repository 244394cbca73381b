/** What a submit sends. Fields that are not chosen yet are empty. */
export type UploadDetails = {
  userCarId: string;
  tireCompound: string;
  videoUrl: string;
};

/** Title and sentence of a toast. */
export type Problem = { title: string; description: string };

/** A problem with an upload, and the field where it is put right; absent for files and track. */
export type SubmitProblem = Problem & { field?: keyof UploadDetails };

/** The details without a car that has left the garage since it was chosen; `cars` are undefined while they are not known. */
export function forgetRemovedCar(
  details: UploadDetails,
  cars: readonly { id: string }[] | undefined,
): UploadDetails {
  const isThere = cars?.some(({ id }) => id === details.userCarId) ?? true;
  return isThere ? details : { ...details, userCarId: '' };
}

/** The first thing that keeps an upload from being sent, in the order in which the page asks for it. */
export function findSubmitProblem(
  upload: UploadDetails & { fileCount: number; trackId: string | null },
): SubmitProblem | null {
  if (upload.fileCount === 0) {
    return { title: 'No files selected', description: 'Please select at least one file to upload.' };
  }
  if (upload.trackId === null) {
    return { title: 'No track selected', description: 'Please process files and select a track first.' };
  }
  if (upload.userCarId === '') {
    return {
      title: 'No car selected',
      description: 'Please select a car from your garage.',
      field: 'userCarId',
    };
  }
  if (upload.tireCompound === '') {
    return {
      title: 'No tire category selected',
      description: 'Please select a tire category.',
      field: 'tireCompound',
    };
  }
  const problem = findVideoProblem(upload.videoUrl);
  return problem && { ...problem, field: 'videoUrl' };
}

/** What is wrong with the link to a video. */
export function findVideoProblem(videoUrl: string): Problem | null {
  if (videoUrl.trim() === '') {
    return { title: 'No video link provided', description: 'Please provide a video link for this lap.' };
  }
  if (isWebLink(videoUrl.trim())) return null;
  return {
    title: 'Video link not valid',
    description: 'The link must begin with http:// or https://.',
  };
}

/** Whether a browser may open this as a link to a site. The server's contract decides in the end. */
function isWebLink(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
