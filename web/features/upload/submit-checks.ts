import type { ChosenFiles, UploadCall, UploadDetails } from './upload-groups.ts';

/** Describes why an upload cannot be sent. `field` names the control to fill in; files and track have none. */
export type SubmitProblem = {
  title: string;
  description: string;
  field?: keyof UploadDetails;
  /** The first file with the problem. */
  fileId?: string;
};

/** Finds the first thing that keeps an upload from being sent, in the order in which the page asks for it. */
export function findSubmitProblem(upload: ChosenFiles, calls: readonly UploadCall[]): SubmitProblem | null {
  if (upload.queue.every(({ status }) => status === 'uploaded')) {
    return { title: 'No files selected', description: 'Please select at least one file to upload.' };
  }
  if (upload.trackId === null) {
    return { title: 'No track selected', description: 'Please process files and select a track first.' };
  }
  for (const { files, details } of calls) {
    const problem = findDetailsProblem(details);
    if (problem !== null) return { ...problem, fileId: files[0]?.id ?? '' };
  }
  return null;
}

function findDetailsProblem({ userCarId, tireCompound, videoUrl }: UploadDetails): SubmitProblem | null {
  if (userCarId === '') {
    return {
      title: 'No car selected',
      description: 'Please select a car from your garage.',
      field: 'userCarId',
    };
  }
  if (tireCompound === '') {
    return {
      title: 'No tire category selected',
      description: 'Please select a tire category.',
      field: 'tireCompound',
    };
  }
  if (videoUrl.trim() === '') {
    return {
      title: 'No video link provided',
      description: 'Please provide a video link for this lap.',
      field: 'videoUrl',
    };
  }
  if (isWebLink(videoUrl.trim())) return null;
  return {
    title: 'Video link not valid',
    description: 'The link must begin with http:// or https://.',
    field: 'videoUrl',
  };
}

/** Returns true if a browser may open this text as a link to a site. The server's contract is decisive. */
function isWebLink(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
